// Which specs of the suite are not run, and why; docs/conformance.md tells the same to people. The first pattern that fits counts.

export interface Skip {
  /** Matches a spec's full name. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export const skipped: readonly Skip[] = [
  { pattern: /\(ntfs\)|Feature:Windows/, reason: "Windows nodes: FUSE is a Linux interface." },
  { pattern: /\(ext[34]\)|\(xfs\)|VolumeSourceXFS/, reason: "A file system on a block device: S3 volumes have neither." },
  { pattern: /block volmode/, reason: "Raw block volumes: an object store has no blocks." },
  { pattern: /two volumes with different volume mode/, reason: "One of the two volumes would be a raw block device." },
  { pattern: /Inline-volume/, reason: "In-tree volume sources: this is a CSI driver." },
  {
    pattern: /Pre-provisioned PV/,
    reason: "The suite can't create a bucket beforehand for an external driver; test/cluster has static provisioning.",
  },
  {
    pattern: /CSI Ephemeral-volume/,
    reason: "CSI inline volumes: the driver's volumeLifecycleModes has only Persistent. Generic ephemeral volumes are run.",
  },
  { pattern: /[sS]napshot/, reason: "Snapshots: S3 has no snapshot of a bucket." },
  { pattern: /data source|and its clone/, reason: "Clones: S3 has no copy of a bucket." },
  { pattern: /volume-expand|support expansion of pvcs/, reason: "Expansion: a bucket has no size." },
  { pattern: /volume-modify/, reason: "VolumeAttributesClass: a bucket has no attributes that a class could change." },
  { pattern: /volumeLimits/, reason: "Volume limits: none by default." },
  { pattern: /topology/, reason: "Topology: every bucket can be reached from every node." },
  { pattern: /capacity/, reason: "Storage capacity: an object store has no end." },
  {
    pattern: /\[Disruptive\]/,
    reason: "Stops kubelet by ssh and systemd, which the one-node cluster has not; test/cluster kills every component.",
  },
  {
    pattern: /performance/,
    reason: "Provisioning performance: needs limits that the driver's author sets; `npm run bench:pods` measures.",
  },
  {
    pattern: /subpath (file|directory) is outside|subpath with backstepping|non-existent subpath is outside/,
    reason: "Makes a symbolic link in the volume, which S3 can't hold.",
  },
  {
    pattern: /changed via chgrp|\(OnRootMismatch\)/,
    reason:
      "Asks which files' group was changed: fsGroup holds for the whole mount (VOLUME_MOUNT_GROUP), and the suite itself skips these then.",
  },
  {
    pattern: /exec of files on the volume/,
    reason: "Makes its script executable by chmod, which S3 objects can't keep; with file-mode=0755 files can be run.",
  },
  { pattern: /volumeIO/, reason: "Writes a file by appending to it block by block, which needs a directory bucket." },
  {
    pattern: /with mount options/,
    reason: "Looks for the options in the kernel's mount table; S3's options are the file system's own. All other specs run with some.",
  },
  { pattern: /pod with mismatched mode/, reason: "Uses a raw block volume as files." },
  {
    pattern: /\(immediate-binding\)\] ephemeral should support multiple/,
    reason: "The suite itself skips it for every driver; the same with late binding is run.",
  },
];
