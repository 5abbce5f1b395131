# One projected step theta - eta g in f64, d = 2: ||z|| <= D (1 + 5u) where u = 2^-53.  See README.md for the argument.
# "FIX(y,-150)" says that y is a multiple of 2^-150, as zero and every double of size >= 2^-98 is: nothing underflows.
@rnd = float<ieee_64, ne>;

# one projected step: y = theta - eta g, product rounded, then difference rounded
eta = rnd(eta_);
theta0 = rnd(theta0_);  g0 = rnd(g0_);  m0 rnd= eta*g0;  y0 rnd= theta0 - m0;
theta1 = rnd(theta1_);  g1 = rnd(g1_);  m1 rnd= eta*g1;  y1 rnd= theta1 - m1;
D = rnd(D_);

# as computed
p0 rnd= y0*y0;  p1 rnd= y1*y1;  S rnd= p0 + p1;
n rnd= sqrt(S);  s rnd= D/n;
z0 rnd= y0*s;  z1 rnd= y1*s;

# exact
P = y0*y0 + y1*y1;
N = sqrt(P);
M = (y0*s)*(y0*s) + (y1*s)*(y1*s);
Z = z0*z0 + z1*z1;

{ # the range of the inputs
     @FIX(theta0,-150) /\ |theta0| <= 1b149 /\ @FIX(g0,-75) /\ |g0| <= 1b74
  /\ @FIX(theta1,-150) /\ |theta1| <= 1b149 /\ @FIX(g1,-75) /\ |g1| <= 1b74
  /\ @FIX(eta,-75) /\ eta in [0,1b74]
  /\ D in [1b-150,1b150]
  /\ P >= 1b-300
  # squares are parts of their sum
  /\ (y0*y0) / (y0*y0 + y1*y1) in [0,1]
  /\ ((y0*s)*(y0*s)) / ((y0*s)*(y0*s) + (y1*s)*(y1*s)) in [0,1]
  ->
  # n <= D, y is left alone: its true norm N <= n (1 + 3u) <= D (1 + 3u)
     N/n <= 9007199254740995b-53
  # n > D, y is scaled: ||z||^2 <= D^2 (1 + 10u) <= D^2 (1 + 5u)^2
  /\ Z -/ (D*D) in [-10b-53,10b-53] }

M -> P*(s*s);
P*(s*s) ~ P*((D/n)*(D/n));
P*((D/n)*(D/n)) ~ P*((D/N)*(D/N));
P*((D/N)*(D/N)) -> D*D {N <> 0};
N/n -> 1/(1 + (n-N)/N) {N <> 0, n <> 0};
