-- One window from the first hit of a store of another library. Its amount may be negative there: points that were given in advance.
-- lua/weigh.lua counts the others.
-- KEYS  the counter: an amount and the window's end in µs
-- ARGV  "read"; "add" an amount, which opens a window; "back" to take at most what is there; "set" an amount in a new window;
--       the amount; the period in µs
-- Reply one string of doubles: the amount, µs until the window ends, 1 if there was an open window
local key, verb, amount, period = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- 50 years in µs; a window without an end has 100.
local never = 50 * 365 * 86400 * 1000000

local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local used, ends, wasOpen = 0, now + period, false
local text = redis.call("GET", key)
if text then
  if #text ~= 16 then return redis.error_reply("ERR the counter holds something that Sluice did not write") end
  local held, till = struct.unpack("<dd", text)
  if till > now then used, ends, wasOpen = held, till, true end
end

if verb == "add" then
  used = used + amount
  -- A window that never ends gets an end with the first request that has a period.
  if ends - now > never and period < never then ends = now + period end
elseif verb == "back" and wasOpen then used = math.max(0, used - amount)
elseif verb == "set" then used, ends = amount, now + period
end
if verb == "add" or verb == "set" or verb == "back" and wasOpen then
  local lifeMs = string.format("%.0f", math.max(1, math.ceil((ends - now) / 1000)))
  redis.call("SET", key, struct.pack("<dd", used, ends), "PX", lifeMs)
end
return struct.pack("<ddd", used, ends - now, wasOpen and 1 or 0)
