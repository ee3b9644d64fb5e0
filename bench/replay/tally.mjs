// The sums of all sessions, by client. Of a session nothing stays but its figures.

/** Adds up what replaySession returns. */
export function createTally() {
  const clients = {};
  let sessions = 0;
  let leftOut = 0;
  return {
    get sessions() {
      return sessions;
    },
    leaveOut: () => void leftOut++,
    add(session) {
      sessions++;
      clients[session.client] ??= noFigures();
      addSession(clients[session.client], session);
    },
    end() {
      const ended = Object.entries(clients).map(([name, figures]) => [name, endOf(figures)]);
      return { sessions, leftOut, clients: Object.fromEntries(ended) };
    },
  };
}

function noFigures() {
  return {
    calls: 0,
    bill: { starting: 0, misses: 0, output: 0, rest: 0, results: {} },
    shares: { once: [], each: [], traced: [], perfect: [] },
    nets: { once: 0, each: 0, traced: 0, perfect: 0 },
    byTool: {},
    byReason: {},
    all: noOutputs(),
  };
}

function noOutputs() {
  return { outputs: 0, tokens: 0, used: 0, usedKept: 0, cuts: 0, saved: 0, asked: 0, madeVisible: 0, once: 0 };
}

function addSession(figures, { calls, bill, outputs }) {
  figures.calls += calls;
  for (const part of ["starting", "misses", "output", "rest"]) figures.bill[part] += bill[part];
  addTo(figures.bill.results, bill.results);
  const own = { once: 0, each: 0, traced: 0, perfect: 0 };
  for (const output of outputs) {
    const name = [output.tool, output.class].filter(Boolean).join(" ");
    figures.byTool[name] ??= noOutputs();
    addOutput(figures.byTool[name], output);
    addOutput(figures.all, output);
    addTo(figures.byReason, { [output.reason]: 1 });
    own.perfect += output.perfect;
    if (output.once === undefined) continue;
    own.once += output.once;
    own.each += output.each;
    if (output.used > 0) own.traced += output.once;
  }
  const total = totalOf(bill);
  for (const [name, net] of Object.entries(own)) {
    figures.nets[name] += net;
    figures.shares[name].push(total === 0 ? 0 : net / total);
  }
}

function addOutput(sums, output) {
  addTo(sums, { outputs: 1, tokens: output.tokens, used: output.used, usedKept: output.usedKept });
  if (output.once === undefined) return;
  const { saved, once, isAsked, madeVisible } = output;
  addTo(sums, { cuts: 1, saved, once, asked: isAsked ? 1 : 0, madeVisible: madeVisible > 0 ? 1 : 0 });
}

function endOf({ calls, bill, shares, nets, byTool, byReason, all }) {
  const total = totalOf(bill);
  const net = {};
  for (const [name, list] of Object.entries(shares))
    net[name] = {
      ofAll: total === 0 ? 0 : nets[name] / total,
      mean: list.reduce((sum, share) => sum + share, 0) / list.length,
      lose: list.filter((share) => share < 0).length / list.length,
    };
  const ofBill = (sums) => ({ ...sums, net: total === 0 ? 0 : sums.once / total });
  const tools = Object.entries(byTool).sort(([, a], [, b]) => b.tokens - a.tokens);
  return {
    sessions: shares.once.length,
    calls,
    bill: { total, ...bill },
    net,
    all: ofBill(all),
    byTool: Object.fromEntries(tools.map(([name, sums]) => [name, ofBill(sums)])),
    byReason,
  };
}

function totalOf({ starting, misses, output, rest, results }) {
  return starting + misses + output + rest + Object.values(results).reduce((sum, cost) => sum + cost, 0);
}

function addTo(sums, amounts) {
  for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount;
}
