"""Behind `proof.py`: checks made from a spec alone, and the ways to carry them out from outside of an app."""
