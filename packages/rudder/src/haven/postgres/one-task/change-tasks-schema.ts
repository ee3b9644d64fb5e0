// Migration 3 of havens: many changes of single tasks in one transaction. Their sender has judged each on the row that
// it names by its version; a row, or a neighbour of it, that has another version by now is left alone.

/** So far may the moment at which a rule has decided lie behind the database's clock; never before it. */
const MAX_BEHIND_MS = 1_000;

/**
 * One number for each change, in their order: its place in the feed; 0 where it was judged on what is no longer so; -2
 * where its operation was made before. NULL where the haven is gone. One notice for all.
 */
const CHANGE_TASKS = (channel: string): string => `
CREATE FUNCTION jeeves_change_tasks(p_haven text, p_count integer, p_changes text) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_first bigint;
  v_now timestamptz;
  v_result bigint[] := '{}';
  c record;
BEGIN
  UPDATE jeeves_havens SET seq = seq + p_count WHERE id = p_haven AND moved IS NULL RETURNING seq - p_count INTO v_first;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_seq := v_first;
  v_now := clock_timestamp();
  FOR c IN SELECT * FROM json_to_recordset(p_changes::json) AS x (
    key text, version bigint, judged_ms float8, near json, mark text, body text, fields text, epic text, blockers text[],
    has_state boolean, lease text, holder text, expires_ms float8, last_token bigint, lost text, assignment text,
    lines text[], page text, page_body text, event text, by_name text, detail text, operation text, call text, value text
  ) LOOP
    IF c.judged_ms IS NOT NULL AND (
      to_timestamp(c.judged_ms / 1000) > v_now
      OR to_timestamp(c.judged_ms / 1000) < v_now - interval '${MAX_BEHIND_MS} milliseconds'
    ) THEN
      v_result := v_result || 0::bigint;
      CONTINUE;
    END IF;
    IF c.operation IS NOT NULL THEN
      DELETE FROM jeeves_operations WHERE haven = p_haven AND id = c.operation AND at <= v_now - interval '1 day';
      IF EXISTS (SELECT 1 FROM jeeves_operations WHERE haven = p_haven AND id = c.operation) THEN
        v_result := v_result || (-2)::bigint;
        CONTINUE;
      END IF;
    END IF;
    IF c.near IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each_text(c.near) n
      LEFT JOIN jeeves_artefacts a ON a.haven = p_haven AND a.key = n.key WHERE coalesce(a.version, 0) <> n.value::bigint
    ) THEN
      v_result := v_result || 0::bigint;
      CONTINUE;
    END IF;
    IF c.has_state OR c.body IS NOT NULL OR c.assignment IS NOT NULL THEN
      UPDATE jeeves_artefacts a SET
        version = a.version + 1,
        body = coalesce(c.body, a.body),
        raw = CASE WHEN c.body IS NULL THEN a.raw END,
        fields = coalesce(c.fields, a.fields),
        epic = CASE WHEN c.body IS NULL THEN a.epic ELSE c.epic END,
        lease = CASE WHEN c.has_state THEN c.lease ELSE a.lease END,
        holder = CASE WHEN c.has_state THEN c.holder ELSE a.holder END,
        expires_at = CASE WHEN c.has_state THEN to_timestamp(c.expires_ms / 1000) ELSE a.expires_at END,
        last_token = CASE WHEN c.has_state THEN c.last_token ELSE a.last_token END,
        lost = CASE WHEN c.has_state THEN c.lost ELSE a.lost END,
        assignment = coalesce(c.assignment, a.assignment)
      WHERE a.haven = p_haven AND a.key = c.key AND a.version = c.version;
    ELSE
      PERFORM 1 FROM jeeves_artefacts a WHERE a.haven = p_haven AND a.key = c.key AND a.version = c.version FOR UPDATE;
    END IF;
    IF NOT FOUND THEN
      v_result := v_result || 0::bigint;
      CONTINUE;
    END IF;
    IF c.blockers IS NOT NULL THEN
      DELETE FROM jeeves_waits WHERE haven = p_haven AND waiter = c.key AND blocker <> ALL (c.blockers);
      INSERT INTO jeeves_waits (haven, blocker, waiter) SELECT p_haven, one, c.key FROM unnest(c.blockers) AS one
      ON CONFLICT DO NOTHING;
    END IF;
    IF c.lines IS NOT NULL THEN
      INSERT INTO jeeves_log (haven, task, line) SELECT p_haven, c.key, one FROM unnest(c.lines) AS one;
    END IF;
    IF c.page IS NOT NULL THEN
      INSERT INTO jeeves_pages (haven, key, body) VALUES (p_haven, c.page, c.page_body)
      ON CONFLICT (haven, key) DO UPDATE SET body = c.page_body, raw = NULL;
    END IF;
    IF c.operation IS NOT NULL THEN
      INSERT INTO jeeves_operations (haven, id, call, at, value) VALUES (p_haven, c.operation, c.call, v_now, c.value);
    END IF;
    v_seq := v_seq + 1;
    INSERT INTO jeeves_changes (haven, seq, at, mark, event, task, by_name, detail, keys)
    VALUES (p_haven, v_seq, clock_timestamp(), c.mark, c.event, c.key, c.by_name, c.detail,
      CASE WHEN c.has_state OR c.body IS NOT NULL OR c.assignment IS NOT NULL THEN ARRAY[c.key] ELSE '{}'::text[] END);
    v_result := v_result || v_seq;
  END LOOP;
  IF v_seq < v_first + p_count THEN UPDATE jeeves_havens SET seq = v_seq WHERE id = p_haven; END IF;
  IF v_seq > v_first THEN PERFORM pg_notify('${channel}', p_haven || ' ' || v_seq); END IF;
  RETURN v_result;
END $$`;

/** Which tasks a task waits for is asked with every claim: without statistics the old key was scanned for a whole haven. */
const WAITS = `
ALTER TABLE jeeves_waits DROP CONSTRAINT jeeves_waits_pkey;
ALTER TABLE jeeves_waits ADD PRIMARY KEY (haven, waiter, blocker);
DROP INDEX jeeves_waits_waiter;
CREATE INDEX jeeves_waits_blocker ON jeeves_waits (haven, blocker)`;

/** The migration. The function of migration 1 stays for programs that have begun before it. */
export const changeTasksMigration = (channel: string): string => `${WAITS};${CHANGE_TASKS(channel)}`;
