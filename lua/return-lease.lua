-- Gives a lease back, if the caller still holds it.
-- KEYS  the lease
-- ARGV  the caller
-- Reply 1 when it did
local lease, caller = KEYS[1], ARGV[1]

if redis.call("GET", lease) ~= caller then return 0 end
return redis.call("DEL", lease)
