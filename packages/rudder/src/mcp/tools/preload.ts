// Every command, loaded while nobody waits: a server lives for days, and a build beside it may replace the files that
// it would otherwise load with its first call.

export async function preload(): Promise<void> {
  await Promise.all([
    import("../../cli/commands/artefacts/artifact.ts"),
    import("../../cli/commands/assign.ts"),
    import("../../cli/commands/context.ts"),
    import("../../cli/commands/artefacts/create.ts"),
    import("../../cli/commands/deps/deps.ts"),
    import("../../cli/commands/deps/deps-tree.ts"),
    import("../../cli/commands/deps/edit-deps.ts"),
    import("../../cli/commands/init.ts"),
    import("../../cli/commands/artefacts/list.ts"),
    import("../../cli/commands/log.ts"),
    import("../../cli/commands/memory.ts"),
    import("../../cli/commands/artefacts/set-status.ts"),
    import("../../cli/commands/artefacts/show.ts"),
    import("../../cli/commands/status.ts"),
    import("../../cli/commands/artefacts/update.ts"),
    import("../../cli/commands/deps/validate.ts"),
    import("../../cli/commands/versions.ts"),
    import("../../context/compose-context.ts"),
  ]);
}
