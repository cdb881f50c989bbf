-- Counts failed sign-ins in windows that open with a first failure. On the control server, under keys that no node's account
-- may write: they are no counters of the policy.
-- KEYS  counters (string: "<failures> <end of the window in ms>")
-- ARGV  most keys that the call may make, "" to read and add nothing; the clock in ms, "" for Redis' own; then each counter's
--       period in ms
-- Reply {failures, ms left of the window, 1 if the counter is stored here, ...}
local counters, mostNew, clock, firstPeriod = KEYS, tonumber(ARGV[1]), tonumber(ARGV[2]), 3

local function redisClock()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local now, reply = clock or redisClock(), {}
for i, key in ipairs(counters) do
  local period = tonumber(ARGV[firstPeriod + i - 1])
  local text = redis.call("TYPE", key).ok == "string" and redis.call("GET", key) or ""
  local failures, ends = text:match("^(%d+) (%d+)$")
  failures, ends = tonumber(failures) or 0, tonumber(ends) or 0
  if ends <= now or ends > now + period then failures, ends = 0, now + period end
  if mostNew then
    if failures == 0 then mostNew = mostNew - 1 end
    if failures > 0 or mostNew >= 0 then
      failures = failures + 1
      redis.call("SET", key, string.format("%.0f %.0f", failures, ends), "PX", string.format("%.0f", ends - now))
    end
  end
  reply[3 * i - 2], reply[3 * i - 1], reply[3 * i] = failures, ends - now, failures > 0 and 1 or 0
end
return reply
