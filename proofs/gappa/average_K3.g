# One component of the average of K = 3 iterates in f64, all of one sign (README.md reduces mixed signs to this):
# summed in order from 0, then times 1/K, itself rounded once.
@rnd = float<ieee_64, ne>;

t1 = rnd(t1_);  t2 = rnd(t2_);  t3 = rnd(t3_);
s2 rnd= t1 + t2;  s3 rnd= s2 + t3;  
w rnd= 1/3;
m rnd= s3*w;
A = ((t1 + t2) + t3) * (1/3);

{ @FIX(t1,-150) /\ t1 in [0,1b150]
  /\ @FIX(t2,-150) /\ t2 in [0,1b150]
  /\ @FIX(t3,-150) /\ t3 in [0,1b150]
  /\ t1 / (t1 + t2) in [0,1]
  /\ (t1 + t2) / ((t1 + t2) + t3) in [0,1]
  /\ t1 + t2 >= 1b-150
  /\ (t1 + t2) + t3 >= 1b-150
  -> m -/ A in [-29b-56,21b-56] }
