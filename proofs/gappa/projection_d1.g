# The ball projection in f64, d = 1: ||z|| <= D (1 + 4u) where u = 2^-53.  See README.md for the argument.
# "FIX(y,-150)" says that y is a multiple of 2^-150, as zero and every double of size >= 2^-98 is: nothing underflows.
@rnd = float<ieee_64, ne>;

# any point y whose components are doubles
y0 = rnd(y0_);
D = rnd(D_);

# as computed
S rnd= y0*y0;
n rnd= sqrt(S);  s rnd= D/n;
z0 rnd= y0*s;
wS rnd= z0*z0;
nz rnd= sqrt(wS);

# exact
P = y0*y0;
N = sqrt(P);
M = (y0*s)*(y0*s);
Z = z0*z0;
NZ = sqrt(Z);

{ # the range of the inputs
     @FIX(y0,-150) /\ |y0| <= 1b150
  /\ D in [1b-150,1b150]
  /\ P >= 1b-300
  -> # dot(y,y) and norm(y): 1u and 1.5u to first order
     S -/ P in [-9b-56,9b-56]
  /\ n -/ N in [-13b-56,13b-56]
  # n <= D, y is left alone: its true norm N <= n (1 + 2u) <= D (1 + 2u)
  /\ N/n <= 9007199254740994b-53
  # n > D, y is scaled: ||z||^2 <= D^2 (1 + 8u) <= D^2 (1 + 4u)^2
  /\ Z -/ (D*D) in [-8b-53,8b-53]
  # and the norm of z as the library computes it again is at most D (1 + 6u)
  /\ (nz*nz) -/ (D*D) in [-12b-53,12b-53] }

M -> P*(s*s);
P*(s*s) ~ P*((D/n)*(D/n));
P*((D/n)*(D/n)) ~ P*((D/N)*(D/N));
P*((D/N)*(D/N)) -> D*D {N <> 0};
N/n -> 1/(1 + (n-N)/N) {N <> 0, n <> 0};
nz*nz ~ NZ*NZ;
NZ*NZ -> Z;
