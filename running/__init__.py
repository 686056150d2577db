"""How work goes: lanes, steps, plans, the gate and its cards, waiting, logs; `agent_runner.py` is its front."""
