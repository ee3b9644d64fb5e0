// The tables of havens in PostgreSQL, by numbered migrations. A task's row holds its text and its lease, so that a
// claim is one transaction on one row. Times inside texts and JSON are milliseconds of the database's clock.
import type { Schema } from "@jeeves/state";
import { AGENTS_TABLE } from "./agents.ts";
import { changeTasksMigration } from "./one-task/change-tasks-schema.ts";

/** Notified with `HAVEN SEQ` for each change. */
export const CHANNEL = "jeeves_haven";

const TABLES = `
CREATE TABLE jeeves_havens (
  id text PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0,
  prd integer NOT NULL DEFAULT 0,
  epic integer NOT NULL DEFAULT 0,
  task integer NOT NULL DEFAULT 0,
  story integer NOT NULL DEFAULT 0,
  origins text[] NOT NULL DEFAULT '{}',
  moved text,
  move_id text,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE jeeves_artefacts (
  haven text NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  number integer NOT NULL,
  state text NOT NULL,
  path text NOT NULL,
  body text,
  raw bytea,
  fields text NOT NULL,
  epic text,
  version bigint NOT NULL DEFAULT 1,
  lease text,
  holder text,
  expires_at timestamptz,
  last_token bigint NOT NULL DEFAULT 0,
  lost text NOT NULL DEFAULT '[]',
  assignment text,
  PRIMARY KEY (haven, key)
);
CREATE INDEX jeeves_artefacts_number ON jeeves_artefacts (haven, kind, number);
CREATE INDEX jeeves_artefacts_epic ON jeeves_artefacts (haven, epic) WHERE epic IS NOT NULL;
CREATE INDEX jeeves_artefacts_lease ON jeeves_artefacts (haven) WHERE lease IS NOT NULL;
CREATE TABLE jeeves_waits (
  haven text NOT NULL,
  blocker text NOT NULL,
  waiter text NOT NULL,
  PRIMARY KEY (haven, blocker, waiter)
);
CREATE INDEX jeeves_waits_waiter ON jeeves_waits (haven, waiter);
CREATE TABLE jeeves_pages (
  haven text NOT NULL,
  key text NOT NULL,
  body text,
  raw bytea,
  PRIMARY KEY (haven, key)
);
CREATE SEQUENCE jeeves_log_position;
CREATE TABLE jeeves_log (
  haven text NOT NULL,
  position bigint NOT NULL DEFAULT nextval('jeeves_log_position'),
  task text,
  epic text,
  epic_position bigint,
  line text NOT NULL,
  PRIMARY KEY (haven, position)
);
CREATE INDEX jeeves_log_task ON jeeves_log (haven, task) WHERE task IS NOT NULL;
CREATE INDEX jeeves_log_epic ON jeeves_log (haven, epic) WHERE epic IS NOT NULL;
CREATE INDEX jeeves_log_unsynced ON jeeves_log (haven, task) WHERE epic IS NULL;
CREATE TABLE jeeves_changes (
  haven text NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  mark text NOT NULL,
  event text NOT NULL,
  task text NOT NULL,
  by_name text NOT NULL,
  detail text NOT NULL,
  keys text[] NOT NULL,
  PRIMARY KEY (haven, seq)
);
CREATE UNIQUE INDEX jeeves_changes_mark ON jeeves_changes (haven, mark);
CREATE TABLE jeeves_operations (
  haven text NOT NULL,
  id text NOT NULL,
  call text NOT NULL,
  at timestamptz NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (haven, id)
);
CREATE INDEX jeeves_operations_age ON jeeves_operations (at)`;

/**
 * The end of every change: its number, its line of the feed and its outcome. All changes of a haven come to its row here,
 * in this order for everyone: the haven's row, then others; so no two wait for each other.
 */
const FINISH = `
CREATE FUNCTION jeeves_finish_change(
  p_haven text, p_seq bigint, p_mark text, p_event text, p_task text, p_by text, p_detail text, p_keys text[],
  p_operation text, p_call text, p_value text
) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF p_operation IS NOT NULL THEN
    DELETE FROM jeeves_operations WHERE haven = p_haven AND id = p_operation AND at <= clock_timestamp() - interval '1 day';
    INSERT INTO jeeves_operations (haven, id, call, at, value)
    VALUES (p_haven, p_operation, p_call, clock_timestamp(), p_value);
  END IF;
  UPDATE jeeves_havens SET seq = p_seq + 1 WHERE id = p_haven;
  INSERT INTO jeeves_changes (haven, seq, at, mark, event, task, by_name, detail, keys)
  VALUES (p_haven, p_seq + 1, clock_timestamp(), p_mark, p_event, p_task, p_by, p_detail, p_keys);
  PERFORM pg_notify('${CHANNEL}', p_haven || ' ' || (p_seq + 1));
  RETURN p_seq + 1;
END $$`;

/**
 * One change of one task. The rules have decided on the row as it was at this version; where it is another one by now
 * nothing is written, and they decide anew. Returns the change's number; 0 for another version; -1 where the haven is gone.
 */
const CHANGE_TASK = `
CREATE FUNCTION jeeves_change_task(
  p_haven text, p_key text, p_version bigint, p_mark text,
  p_body text, p_fields text, p_epic text, p_blockers text[],
  p_has_state boolean, p_lease text, p_holder text, p_expires_at timestamptz, p_last_token bigint, p_lost text,
  p_assignment text, p_lines text[], p_page text, p_page_body text,
  p_event text, p_by text, p_detail text, p_operation text, p_call text, p_value text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_version bigint;
  v_changes boolean := p_has_state OR p_body IS NOT NULL OR p_assignment IS NOT NULL;
BEGIN
  SELECT seq INTO v_seq FROM jeeves_havens WHERE id = p_haven AND moved IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN -1; END IF;
  SELECT version INTO v_version FROM jeeves_artefacts WHERE haven = p_haven AND key = p_key FOR UPDATE;
  IF NOT FOUND OR v_version <> p_version THEN RETURN 0; END IF;
  IF v_changes THEN
    UPDATE jeeves_artefacts SET
      version = version + 1,
      body = coalesce(p_body, body),
      raw = CASE WHEN p_body IS NULL THEN raw END,
      fields = coalesce(p_fields, fields),
      epic = CASE WHEN p_body IS NULL THEN epic ELSE p_epic END,
      lease = CASE WHEN p_has_state THEN p_lease ELSE lease END,
      holder = CASE WHEN p_has_state THEN p_holder ELSE holder END,
      expires_at = CASE WHEN p_has_state THEN p_expires_at ELSE expires_at END,
      last_token = CASE WHEN p_has_state THEN p_last_token ELSE last_token END,
      lost = CASE WHEN p_has_state THEN p_lost ELSE lost END,
      assignment = coalesce(p_assignment, assignment)
    WHERE haven = p_haven AND key = p_key;
  END IF;
  IF p_blockers IS NOT NULL THEN
    DELETE FROM jeeves_waits WHERE haven = p_haven AND waiter = p_key AND blocker <> ALL (p_blockers);
    INSERT INTO jeeves_waits (haven, blocker, waiter) SELECT p_haven, one, p_key FROM unnest(p_blockers) AS one
    ON CONFLICT DO NOTHING;
  END IF;
  IF cardinality(p_lines) > 0 THEN
    INSERT INTO jeeves_log (haven, task, line) SELECT p_haven, p_key, one FROM unnest(p_lines) AS one;
  END IF;
  IF p_page IS NOT NULL THEN
    INSERT INTO jeeves_pages (haven, key, body) VALUES (p_haven, p_page, p_page_body)
    ON CONFLICT (haven, key) DO UPDATE SET body = p_page_body, raw = NULL;
  END IF;
  RETURN jeeves_finish_change(
    p_haven, v_seq, p_mark, p_event, p_key, p_by, p_detail, CASE WHEN v_changes THEN ARRAY[p_key] ELSE '{}'::text[] END,
    p_operation, p_call, p_value
  );
END $$`;

/** What any server may apply. A migration that was released is never edited: another one follows it. */
export const HAVEN_SCHEMA: Schema = {
  part: "haven",
  migrations: [`${TABLES};${FINISH};${CHANGE_TASK}`, AGENTS_TABLE, changeTasksMigration(CHANNEL)],
};
