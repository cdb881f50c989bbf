-- Takes a lease that nobody holds, or holds on to one's own.
-- KEYS  the lease
-- ARGV  who asks, for how many ms
-- Reply 1 when it is theirs now
local lease, who, ms = KEYS[1], ARGV[1], ARGV[2]

local holder = redis.call("GET", lease)
if holder and holder ~= who then return 0 end
redis.call("SET", lease, who, "PX", ms)
return 1
