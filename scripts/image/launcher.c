// The image has no shell, so the programs' names of old are this one static program: it starts node with the bundle
// that belongs to the name it was called by, and is gone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODE "/usr/bin/node"

static const char *bundle(const char *name) {
  const char *controller_only = getenv("CSI_CONTROLLER_ONLY");
  if (!strcmp(name, "scality-s3-csi-driver"))
    return controller_only && !strcmp(controller_only, "true") ? "/app/controller.js" : "/app/node.js";
  if (!strcmp(name, "scality-csi-controller")) return "/app/reconciler.js";
  if (!strcmp(name, "scality-s3-csi-mounter")) return "/app/mountpoint.js";
  if (!strcmp(name, "s3-csi")) return "/app/s3-csi.js";
  return NULL;
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  const char *file = bundle(slash ? slash + 1 : argv[0]);
  if (!file) {
    fprintf(stderr, "launcher: called by a name that is no program of this image: %s\n", argv[0]);
    return 127;
  }
  char **args = calloc(argc + 5, sizeof *args);
  if (!args) return 127;
  int n = 0;
  args[n++] = argv[0];
  args[n++] = "--disable-warning=ExperimentalWarning";
  args[n++] = "--disable-warning=DEP0040"; // punycode, in a package of a package
  // It keeps what it knows of the cluster for long, and its garbage is small: a young generation of 8 MB spares it 50 MB of memory.
  if (strstr(file, "reconciler")) args[n++] = "--max-semi-space-size=8";
  args[n++] = (char *)file;
  for (int i = 1; i < argc; i++) args[n++] = argv[i];
  execv(NODE, args);
  perror("launcher: " NODE);
  return 127;
}
