// Every command, loaded while nobody waits: a server lives for days, and a build beside it may replace the files that
// it would otherwise load with its first call.

export async function preload(): Promise<void> {
  await Promise.all([
    import("../cli/commands/artifact.ts"),
    import("../cli/commands/assign.ts"),
    import("../cli/commands/context.ts"),
    import("../cli/commands/create.ts"),
    import("../cli/commands/deps.ts"),
    import("../cli/commands/deps-tree.ts"),
    import("../cli/commands/edit-deps.ts"),
    import("../cli/commands/init.ts"),
    import("../cli/commands/list.ts"),
    import("../cli/commands/log.ts"),
    import("../cli/commands/memory.ts"),
    import("../cli/commands/set-status.ts"),
    import("../cli/commands/show.ts"),
    import("../cli/commands/status.ts"),
    import("../cli/commands/update.ts"),
    import("../cli/commands/validate.ts"),
    import("../cli/commands/versions.ts"),
    import("../context/compose-context.ts"),
  ]);
}
