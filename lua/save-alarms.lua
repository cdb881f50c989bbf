-- Saves what the holder of a lease has decided: all of it, or nothing when another process holds the lease.
-- KEYS  the lease, then the hashes of the writes
-- ARGV  the holder, then for each write: field, and "1" with the new value or "0" with "" to remove it
-- Reply 1 when it was saved
local lease, holder = KEYS[1], ARGV[1]

if redis.call("GET", lease) ~= holder then return 0 end
for i = 2, #KEYS do
  local word = 2 + 3 * (i - 2)
  local field, isKept, value = ARGV[word], ARGV[word + 1], ARGV[word + 2]
  if isKept == "1" then redis.call("HSET", KEYS[i], field, value) else redis.call("HDEL", KEYS[i], field) end
end
return 1
