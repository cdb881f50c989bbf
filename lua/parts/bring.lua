-- Part of weigh: one MGET for all strings of the run.
-- Reads keys, plan, width, first, requests, gets, firstStep, stepSize. Writes held.
do
  local wanted, n, column = {}, 0, 1
  for step = firstStep, #plan, stepSize do
    local count = gets[plan[step]]
    for key = (first - 1) * width + column, (first - 1) * width + column + count - 1 do
      for request = 0, requests - 1 do
        n = n + 1
        wanted[n] = keys[key + request * width]
      end
    end
    column = column + (count == 2 and 2 or 1)
  end
  held = n > 0 and redis.call("MGET", unpack(wanted))
end
