-- Part of weigh, late-charges and refund: numbers as keys hold them. Reads graceMs. Defines whole, pair, millis, isForeign.

-- A number as Redis counts; NaN for any other text.
local function whole(text)
  local number = tonumber(text)
  return number and number % 1 == 0 and number > -2 ^ 53 and number < 2 ^ 53 and number or 0 / 0
end

-- An amount and a time that only Sluice writes. Digits and letters make no doubles of this size.
local function pair(text)
  if #text ~= 16 then return 0 / 0, 0 / 0 end
  local amount, time = struct.unpack("<dd", text)
  if amount >= 0 and time >= 1 and time < 2 ^ 53 then return amount, time end
  return 0 / 0, 0 / 0
end

local function millis(micros) return string.format("%.0f", math.max(1, math.ceil(micros / 1000)) + graceMs) end

-- An error of its step alone: the key is of another type, or no number. Any other error (memory, read-only) is the whole call's,
-- and its first write raises it, so that nothing was charged.
local function isForeign(reply)
  local message = reply.err or ""
  return message:find("WRONGTYPE", 1, true) or message:find("not an integer", 1, true) or message:find("overflow", 1, true)
end
