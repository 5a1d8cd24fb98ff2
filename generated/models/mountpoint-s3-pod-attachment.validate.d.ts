// Generated from crds/mountpoints3podattachments.yaml by `npm run codegen`. Do not edit: change the source and run it again.
export function validate(data: unknown): boolean;
