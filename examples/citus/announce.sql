-- A job on each node.
CALL announce() \watch 0.2
