-- Says that the list of keys written since a snapshot was begun is complete, after adding keys to it.
-- KEYS  head of the snapshot (hash), its pieces (hash), keys written since (list)
-- ARGV  id of the snapshot, life of the head in ms, life of the others, length that the list should have, 1 if it is complete
--       after these, then the keys
-- Reply 1, or 0 when the snapshot is another one by now, or has lost pieces or keys: then nothing is written
local head, pieces, list = unpack(KEYS)
local id, headMs, restMs, length, isComplete = unpack(ARGV, 1, 5)
local firstKey = 6

if redis.call("HGET", head, "id") ~= id or redis.call("LLEN", list) ~= tonumber(length) then return 0 end
if redis.call("PEXPIRE", pieces, restMs) == 0 then return 0 end
local written = tonumber(length)
for i = firstKey, #ARGV do written = redis.call("RPUSH", list, ARGV[i]) end
redis.call("PEXPIRE", list, restMs)
redis.call("HSET", head, "written", written)
redis.call("HINCRBY", head, "beats", isComplete)
redis.call("PEXPIRE", head, headMs)
return 1
