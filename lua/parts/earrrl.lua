-- Part of weigh: the estimated average recent request rate. The key holds N and T; the estimate is N·λ, decayed since T.
-- A hit is charged whatever the verdict, so at once; it weighs less while its client is over the limit. A limit of 0 denies each, and
-- charges none.
-- Finds N, decayed to now.
-- Reads isPeek, isReading, keys, width, plan, step, first, last, held, given, inForce, limit, now, second, graceMs.
-- Writes found, denied, failure, key, at, slot.
if isPeek then
  local lambda, overage, exp, log = 0.6931471805599453 / plan[step + 3], plan[step + 4], math.exp, math.log
  local lives, opening, openingLife = {}, nil, nil
  for request = first, last do
    local value, cost, sum, time, weight = held[slot], given and given[request] or 1, 0, now, nil
    if value then
      sum, time = pair(value)
      -- If the clock stepped back, nothing decays until it has caught up.
      if time <= now then sum, time = sum * exp(-lambda * ((now - time) / second)), now end
    end
    found[at] = sum
    if sum * lambda > limit or limit == 0 then
      weight = cost * overage
      if inForce then denied[request] = true end
    end
    if cost > 0 and sum == sum and limit > 0 and not isReading then
      local isOpening = not value and cost == 1
      local state, life = opening, openingLife
      if not (isOpening and opening) then
        sum = sum + (weight or cost)
        state = pack("<dd", sum, time)
        -- Whole seconds until less than a thousandth of the limit is left.
        local seconds = log(sum * lambda * 1000 / limit) / lambda
        if seconds < 1 then seconds = 1 end
        seconds = ceil(seconds + (time - now) / second) + graceMs / 1000
        life = lives[seconds] or format("%.0f", seconds)
        lives[seconds] = life
        if isOpening then opening, openingLife = state, life end
      end
      local reply = pcall("SET", keys[key], state, "EX", life, "GET")
      if type(reply) == "table" then
        found[at] = nan
        failure = failure or not isForeign(reply) and reply
      end
    end
    key, at, slot = key + width, at + 1, slot + 1
  end
end
