// Help that fits a screen: one for the program, one per topic of mount's options.
import { driverVersion } from "../core/version.ts";
import { type OptionRule, optionTable, type Topic, topics } from "../mountpoint/option-table.ts";

export const mainHelp = `s3-csi ${driverVersion}: S3 buckets as files

  s3-csi mount BUCKET DIRECTORY [options]   mount a bucket (or s3://bucket/prefix/)
  s3-csi unmount DIRECTORY [--lazy]         undo it
  s3-csi volumes                            what a Kubernetes cluster mounts, and why not
  s3-csi --version

  s3-csi mount --help           how to mount
  s3-csi mount --help TOPIC     options: ${topics.join(", ")}
`;

export const mountHelp = `s3-csi mount BUCKET DIRECTORY [options]

Mounts a bucket as files; options have the names they have in mount-s3. Returns when
the mount answers, and leaves a process behind that serves it (--foreground: stays).
It ends with the mount: s3-csi unmount DIRECTORY.

  s3-csi mount my-bucket /mnt/data
  s3-csi mount s3://my-bucket/logs/ /mnt/logs --read-only
  s3-csi mount my-bucket /mnt/data --endpoint-url http://localhost:9000 --force-path-style
  s3-csi mount my-bucket /mnt/data -o ro,allow-other,prefix=logs/      (as fstab writes it)

Credentials come from the environment (AWS_ACCESS_KEY_ID, ...), a profile, a web
identity token, or the container's or instance's service, in this order.
By default files can be read and created, not replaced (--allow-overwrite) or
deleted (--allow-delete).

Options by topic, each with s3-csi mount --help TOPIC:
  bucket        which one, where, how it is reached
  credentials   whose name requests are signed in
  files         what may be done, owner and modes
  uploads       storage class, encryption, checksums, part sizes
  caching       cache on disk, how long metadata are believed, memory
  mount         foreground, who may use it
  logging       logs and metrics
`;

export const unmountHelp = `s3-csi unmount DIRECTORY [--lazy]

Unmounts what s3-csi mounted there. Fails when files there are in use;
--lazy takes it out of sight now and ends it when the last user is gone.
`;

export function isTopic(text: string): text is Topic {
  return (topics as readonly string[]).includes(text);
}

export function topicHelp(topic: Topic): string {
  const rows = Object.entries(optionTable as Readonly<Record<string, OptionRule>>).filter(([, rule]) => rule.topic === topic);
  const lines = rows.map(([name, rule]) => {
    const short = rule.short === undefined ? "    " : `-${rule.short}, `;
    return `  ${short}--${name}${rule.value === undefined ? "" : ` ${rule.value}`}`.padEnd(38) + rule.help;
  });
  return `s3-csi mount: ${topic}\n\n${lines.join("\n")}\n`;
}
