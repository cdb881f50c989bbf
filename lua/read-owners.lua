-- Reads customers of addresses, or addresses of customers. Writes nothing.
-- KEYS  seen (sorted set of "<address> <customer>" by their last request), the index to read (by address, or by customer),
--       requests (hash), since (string)
-- ARGV  which index: "address" or "customer", then the first and last name of each range of it, and how many of it at most
-- Reply clock in ms, since when absence is known (false: never reported), for each range:
--       how many there are, and for each that is read: name, last request, requests
local seen, index, requests, since = unpack(KEYS)
local kind, ranges = ARGV[1], {}

for i = 2, #ARGV, 3 do
  local found = { redis.call("ZLEXCOUNT", index, ARGV[i], ARGV[i + 1]) }
  for _, name in ipairs(redis.call("ZRANGEBYLEX", index, ARGV[i], ARGV[i + 1], "LIMIT", 0, ARGV[i + 2])) do
    local one = kind == "customer" and string.gsub(name, "^(%S+) (%S+)$", "%2 %1") or name
    found[#found + 1] = one
    found[#found + 1] = redis.call("ZSCORE", seen, one) or "0"
    found[#found + 1] = redis.call("HGET", requests, one) or ""
  end
  ranges[#ranges + 1] = found
end

local time = redis.call("TIME")
return { time[1] * 1000 + math.floor(time[2] / 1000), redis.call("GET", since), ranges }
