-- A new key seals from now on; what others have sealed is still unsealed.

INSERT INTO sealing.keys (key) VALUES (gen_random_bytes(16));
