# One component of the average of K = 1 iterates in f64, all of one sign (README.md reduces mixed signs to this):
# summed in order from 0, then times 1/K, itself rounded once.
@rnd = float<ieee_64, ne>;

t1 = rnd(t1_);

w rnd= 1/1;
m rnd= t1*w;
A = (t1) * (1/1);

{ @FIX(t1,-150) /\ t1 in [0,1b150]
  /\ t1 >= 1b-150
  -> m -/ A in [0,0] }
