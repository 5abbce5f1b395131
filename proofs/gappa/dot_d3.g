# dot(a,b) in f64, d = 3, signs free.  A and B, powers of two, bound the components of a and b; by scaling
# (exact in binary, no underflow on the stated range) take A = B = 1.  Then |dot(a,b) - <a,b>| <= the bound below.
@rnd = float<ieee_64, ne>;

a0 = rnd(a0_);  b0 = rnd(b0_);  p0 rnd= a0*b0;
a1 = rnd(a1_);  b1 = rnd(b1_);  p1 rnd= a1*b1;
a2 = rnd(a2_);  b2 = rnd(b2_);  p2 rnd= a2*b2;
e rnd= p0 + p2;  S rnd= e + p1;
P = (a0*b0 + a2*b2) + a1*b1;

{ @FIX(a0,-500) /\ |a0| <= 1 /\ @FIX(b0,-500) /\ |b0| <= 1
  /\ @FIX(a1,-500) /\ |a1| <= 1 /\ @FIX(b1,-500) /\ |b1| <= 1
  /\ @FIX(a2,-500) /\ |a2| <= 1 /\ @FIX(b2,-500) /\ |b2| <= 1
  -> S - P in [-9b-54,9b-54] }
