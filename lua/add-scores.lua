-- Adds scores to sorted sets that keep the highest ones.
-- KEYS  sorted sets
-- ARGV  members that a set keeps; of each set: JSON [life in s, member, score, …]
-- Reply nothing
local mostKept = tonumber(ARGV[1])

for i, key in ipairs(KEYS) do
  local scores = cjson.decode(ARGV[i + 1])
  for n = 2, #scores, 2 do redis.call("ZINCRBY", key, scores[n + 1], scores[n]) end
  local size = redis.call("ZCARD", key)
  -- One trim for many reports: a third more has room.
  if 3 * size > 4 * mostKept then redis.call("ZREMRANGEBYRANK", key, 0, size - mostKept - 1) end
  redis.call("EXPIRE", key, scores[1])
end
