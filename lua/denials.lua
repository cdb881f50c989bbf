-- Counts denials of rules by address, each rule's in a window that begins with the first of them.
-- KEYS  the address' denials (hash: rule → count and end of its window; "" → end of the time without counting), one a row
-- ARGV  for each row: rule, how many, window in ms
-- Reply the count in its window for each row, 0 where denials are not counted or the key is of another type
local columns = 3

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function count(key, rule, times, window)
  local held = redis.pcall("HMGET", key, "", rule)
  if held.err then return held.err:find("WRONGTYPE", 1, true) and 0 or error(held.err) end
  local restsUntil = tonumber(held[1] or nil)
  if restsUntil and restsUntil > now then return 0 end
  local sum, ends = string.match(held[2] or "", "^(%d+) (%d+)$")
  sum, ends = tonumber(sum), tonumber(ends)
  if not ends or ends <= now or ends > now + window then sum, ends = 0, now + window end
  sum = sum + times
  redis.call("HSET", key, rule, string.format("%.0f %.0f", sum, ends))
  if redis.call("PTTL", key) < ends - now then redis.call("PEXPIRE", key, ends - now) end
  return sum
end

local counts = {}
for i, key in ipairs(KEYS) do
  local rule, times, window = unpack(ARGV, columns * (i - 1) + 1, columns * i)
  counts[i] = count(key, rule, tonumber(times), tonumber(window))
end
return counts
