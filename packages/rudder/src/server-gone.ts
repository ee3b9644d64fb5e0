// The words that the bridge and an agent's supervisor share. A file of its own: the bridge loads next to nothing.

/** How the bridge answers a call for which no server came back. */
export const SERVER_GONE = "the haven's server is gone, and did not come back";
