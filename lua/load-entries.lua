-- One page of both lists with the contents of their entries, and with keys that are no entries.
-- Runs on the control server, which is never a cluster: the keys are found here, not declared.
-- KEYS  none
-- ARGV  cursor, pattern, count, Sluice's own prefix, the only one under it that is wanted
-- Reply {next cursor, {}, {key, pttl, contents, ...}}; pttl is -1 for a key that stays; contents are the value (cut), or
--       {kind} of a key that is no string
local cursor, pattern, count, own, wanted = unpack(ARGV)
local longest, most = 4096, 4000

local page = redis.call("SCAN", cursor, "MATCH", pattern, "COUNT", count)
local found, reply = {}, {}
for _, key in ipairs(page[2]) do
  if key:sub(1, #own) ~= own or key:sub(1, #wanted) == wanted then found[#found + 1] = key end
end
for from = 1, #found, most do
  local to = math.min(from + most - 1, #found)
  -- MGET finds the strings in one call: asking for each type costs more than everything else.
  local values = redis.call("MGET", unpack(found, from, to))
  for i = from, to do
    local value = values[i - from + 1]
    local kind = not value and redis.call("TYPE", found[i]).ok
    if kind ~= "none" then
      local at = #reply
      reply[at + 1], reply[at + 2] = found[i], redis.call("PTTL", found[i])
      reply[at + 3] = value and value:sub(1, longest) or {kind}
    end
  end
end
return {page[1], {}, reply}
