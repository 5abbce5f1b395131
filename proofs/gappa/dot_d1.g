# dot(a,b) in f64, d = 1, signs free.  A and B, powers of two, bound the components of a and b; by scaling
# (exact in binary, no underflow on the stated range) take A = B = 1.  Then |dot(a,b) - <a,b>| <= the bound below.
@rnd = float<ieee_64, ne>;

a0 = rnd(a0_);  b0 = rnd(b0_);  S rnd= a0*b0;
P = a0*b0;

{ @FIX(a0,-500) /\ |a0| <= 1 /\ @FIX(b0,-500) /\ |b0| <= 1
  -> S - P in [-1b-54,1b-54] }
