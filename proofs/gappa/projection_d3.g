# The ball projection in f64, d = 3: ||z|| <= D (1 + 5u) where u = 2^-53.  See README.md for the argument.
# "FIX(y,-150)" says that y is a multiple of 2^-150, as zero and every double of size >= 2^-98 is: nothing underflows.
@rnd = float<ieee_64, ne>;

# any point y whose components are doubles
y0 = rnd(y0_);
y1 = rnd(y1_);
y2 = rnd(y2_);
D = rnd(D_);

# as computed
p0 rnd= y0*y0;  p1 rnd= y1*y1;  p2 rnd= y2*y2;  e rnd= p0 + p2;  S rnd= e + p1;
n rnd= sqrt(S);  s rnd= D/n;
z0 rnd= y0*s;  z1 rnd= y1*s;  z2 rnd= y2*s;
w0 rnd= z0*z0;  w1 rnd= z1*z1;  w2 rnd= z2*z2;  we rnd= w0 + w2;  wS rnd= we + w1;
nz rnd= sqrt(wS);

# exact
P = (y0*y0 + y2*y2) + y1*y1;
N = sqrt(P);
M = ((y0*s)*(y0*s) + (y2*s)*(y2*s)) + (y1*s)*(y1*s);
Z = (z0*z0 + z2*z2) + z1*z1;
NZ = sqrt(Z);

{ # the range of the inputs
     @FIX(y0,-150) /\ |y0| <= 1b150
  /\ @FIX(y1,-150) /\ |y1| <= 1b150
  /\ @FIX(y2,-150) /\ |y2| <= 1b150
  /\ D in [1b-150,1b150]
  /\ P >= 1b-300
  # squares are parts of their sum
  /\ (y0*y0) / (y0*y0 + y2*y2) in [0,1]
  /\ (y0*y0 + y2*y2) / ((y0*y0 + y2*y2) + y1*y1) in [0,1]
  /\ ((y0*s)*(y0*s)) / ((y0*s)*(y0*s) + (y2*s)*(y2*s)) in [0,1]
  /\ ((y0*s)*(y0*s) + (y2*s)*(y2*s)) / (((y0*s)*(y0*s) + (y2*s)*(y2*s)) + (y1*s)*(y1*s)) in [0,1]
  /\ (z0*z0) / (z0*z0 + z2*z2) in [0,1]
  /\ (z0*z0 + z2*z2) / ((z0*z0 + z2*z2) + z1*z1) in [0,1]
  # no inner pair vanishes (where one does its sum is exact, and the file of a smaller d applies)
  /\ y0*y0 + y2*y2 >= 1b-300
  /\ (y0*s)*(y0*s) + (y2*s)*(y2*s) >= 1b-902
  /\ z0*z0 + z2*z2 >= 1b-1000
  -> # dot(y,y) and norm(y): 3u and 2.5u to first order
     S -/ P in [-25b-56,25b-56]
  /\ n -/ N in [-21b-56,21b-56]
  # n <= D, y is left alone: its true norm N <= n (1 + 3u) <= D (1 + 3u)
  /\ N/n <= 9007199254740995b-53
  # n > D, y is scaled: ||z||^2 <= D^2 (1 + 10u) <= D^2 (1 + 5u)^2
  /\ Z -/ (D*D) in [-10b-53,10b-53]
  # and the norm of z as the library computes it again is at most D (1 + 8u)
  /\ (nz*nz) -/ (D*D) in [-16b-53,16b-53] }

M -> P*(s*s);
P*(s*s) ~ P*((D/n)*(D/n));
P*((D/n)*(D/n)) ~ P*((D/N)*(D/N));
P*((D/N)*(D/N)) -> D*D {N <> 0};
N/n -> 1/(1 + (n-N)/N) {N <> 0, n <> 0};
nz*nz ~ NZ*NZ;
NZ*NZ -> Z;
