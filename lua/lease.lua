-- Takes a free lease, or extends one that the caller holds.
-- KEYS  the lease
-- ARGV  the caller, for how many ms
-- Reply 1 when the caller holds it
local lease, caller, ms = KEYS[1], ARGV[1], ARGV[2]

local holder = redis.call("GET", lease)
if holder and holder ~= caller then return 0 end
redis.call("SET", lease, caller, "PX", ms)
return 1
