-- Writes or deletes a key that nodes follow, outside of a change, and announces it in the same step. An existing key stays as
-- it is, and is not announced again.
-- KEYS  the key
-- ARGV  stream of changes, value ("" deletes the key), life in seconds
-- Reply 1 when something was written or deleted
local key = KEYS[1]
local changes, value, seconds = unpack(ARGV)

-- include: announce.lua

local isDone
if value == "" then isDone = redis.call("DEL", key) == 1
else isDone = redis.call("SET", key, value, "EX", seconds, "NX") and true end
if not isDone then return 0 end
announce(changes, "", {key})
return 1
