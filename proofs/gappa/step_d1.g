# One projected step theta - eta g in f64, d = 1: ||z|| <= D (1 + 4u) where u = 2^-53.  See README.md for the argument.
# "FIX(y,-150)" says that y is a multiple of 2^-150, as zero and every double of size >= 2^-98 is: nothing underflows.
@rnd = float<ieee_64, ne>;

# one projected step: y = theta - eta g, product rounded, then difference rounded
eta = rnd(eta_);
theta0 = rnd(theta0_);  g0 = rnd(g0_);  m0 rnd= eta*g0;  y0 rnd= theta0 - m0;
D = rnd(D_);

# as computed
S rnd= y0*y0;
n rnd= sqrt(S);  s rnd= D/n;
z0 rnd= y0*s;

# exact
P = y0*y0;
N = sqrt(P);
M = (y0*s)*(y0*s);
Z = z0*z0;

{ # the range of the inputs
     @FIX(theta0,-150) /\ |theta0| <= 1b149 /\ @FIX(g0,-75) /\ |g0| <= 1b74
  /\ @FIX(eta,-75) /\ eta in [0,1b74]
  /\ D in [1b-150,1b150]
  /\ P >= 1b-300
  ->
  # n <= D, y is left alone: its true norm N <= n (1 + 2u) <= D (1 + 2u)
     N/n <= 9007199254740994b-53
  # n > D, y is scaled: ||z||^2 <= D^2 (1 + 8u) <= D^2 (1 + 4u)^2
  /\ Z -/ (D*D) in [-8b-53,8b-53] }

M -> P*(s*s);
P*(s*s) ~ P*((D/n)*(D/n));
P*((D/n)*(D/n)) ~ P*((D/N)*(D/N));
P*((D/N)*(D/N)) -> D*D {N <> 0};
N/n -> 1/(1 + (n-N)/N) {N <> 0, n <> 0};
