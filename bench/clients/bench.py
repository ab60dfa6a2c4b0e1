import uuid
from timeit import Timer

from pg_gid import Gid

id, other = Gid.new("o"), uuid.uuid7()
text, other_text = str(id), str(other)
calls = [lambda: Gid.new("o"), uuid.uuid7, lambda: Gid(text), lambda: uuid.UUID(other_text), lambda: str(id), lambda: str(other)]
for timer in 5_000 * [Timer(call) for call in calls]:
    print(int(timer.timeit(200) * 1e9))
