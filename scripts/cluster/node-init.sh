#!/bin/bash
# The first process of a node: pid 1 in namespaces of its own (mount, pid, net, uts, ipc). Sets the node up, starts its programs and
# keeps them running; when it ends, the kernel ends all of them and drops every mount.
# Environment: RUN (state of the cluster), NODE_DIR, NODE_NAME, NODE_ADDRESS, POD_RANGE, SERVICE_RANGE, ROLE (control|worker), and the
# paths of the programs in ETCD, KUBE_APISERVER, KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER, KUBELET, KUBE_PROXY, KUBECTL.
set -eu
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

own_mounts() {
  # Volumes of the machine itself, or left there by somebody: not this node's, and it must not keep them alive.
  grep -oP '^\S+ \S+ \S+ \S+ \K\S+(?=.* - fuse )' /proc/self/mountinfo | while read -r volume; do umount -l "$(printf '%b' "$volume")" || true; done
  # A sysfs of this network namespace, with the machine's cgroups in it.
  mkdir -p "$NODE_DIR/cgroup"
  mount --rbind /sys/fs/cgroup "$NODE_DIR/cgroup"
  umount -R -l /sys
  mount -t sysfs sysfs /sys
  mount --move "$NODE_DIR/cgroup" /sys/fs/cgroup
  mount -t fusectl fusectl /sys/fs/fuse/connections 2>/dev/null || true
  mount --make-rshared /
  mount -t tmpfs tmpfs /run
  mkdir -p /run/containerd /run/lock /run/netns /run/sysctl /run/cni
  # Mount points on the host's own file system: they stay there, as empty folders.
  mkdir -p /var/lib/cni /var/lib/kubelet /var/log/pods /var/log/containers
  mount --bind /run/cni /var/lib/cni
  mount --bind "$NODE_DIR/kubelet" /var/lib/kubelet
  # Shared, since Bidirectional volumes need it, but in a peer group of its own: else each CSI mount appears twice.
  mount --make-private /var/lib/kubelet
  mount --make-shared /var/lib/kubelet
  for folder in pods containers; do
    mount --bind "$NODE_DIR/log/$folder" /var/log/$folder
  done
  # kubelet would set these for the whole machine; it finds the values it wants in files of ours instead.
  for setting in vm/overcommit_memory=1 kernel/panic=10 kernel/panic_on_oops=1; do
    file=/run/sysctl/$(basename "${setting%=*}")
    echo "${setting#*=}" > "$file"
    mount --bind "$file" "/proc/sys/${setting%=*}"
  done
}

own_network() {
  ip link set lo up
  # A bridge, because not every kernel has dummy devices; nothing on it leads out of the machine.
  ip link add node0 type bridge
  ip address add "$NODE_ADDRESS/24" dev node0
  ip link set node0 up
  ip route add default dev node0
  echo 1 > /proc/sys/net/ipv4/ip_forward
}

# Runs a program and starts it again when it ends, as an init system would; while a file <name>.hold is there it stays down.
keep() {
  local name=$1
  shift
  (
    while :; do
      while [ -e "$NODE_DIR/pids/$name.hold" ]; do sleep 0.1; done
      "$@" >> "$NODE_DIR/log/$name.log" 2>&1 &
      echo $! > "$NODE_DIR/pids/$name"
      wait $! || true
      sleep 0.2
    done
  ) &
}

until_ok() { # seconds, command
  local end=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "not in time: $*"; exit 1; }
    sleep 0.05
  done
}

control_plane() {
  keep etcd "$ETCD" --data-dir "$RUN/etcd" --unsafe-no-fsync --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
    --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 --initial-cluster default=http://127.0.0.1:2380
  keep kube-apiserver "$KUBE_APISERVER" --etcd-servers=http://127.0.0.1:2379 --bind-address=0.0.0.0 --secure-port=6443 --advertise-address="$NODE_ADDRESS" \
    --tls-cert-file="$RUN/pki/apiserver.crt" --tls-private-key-file="$RUN/pki/apiserver.key" --client-ca-file="$RUN/pki/ca.crt" \
    --kubelet-client-certificate="$RUN/pki/apiserver-kubelet.crt" --kubelet-client-key="$RUN/pki/apiserver-kubelet.key" \
    --kubelet-certificate-authority="$RUN/pki/ca.crt" --kubelet-preferred-address-types=InternalIP \
    --service-account-key-file="$RUN/pki/service-account.pub" --service-account-signing-key-file="$RUN/pki/service-account.key" \
    --service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range="$SERVICE_RANGE" \
    --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --allow-privileged=true
  keep api-forward socat "UNIX-LISTEN:$RUN/api.sock,fork,unlink-early" TCP:127.0.0.1:6443
}

# Only after the API server is ready: before the bootstrap roles exist kube-controller-manager exits.
controllers() {
  until_ok 120 "$KUBECTL" --kubeconfig "$RUN/kube/admin.conf" get --raw /readyz
  keep kube-controller-manager "$KUBE_CONTROLLER_MANAGER" --kubeconfig="$RUN/kube/controller-manager.conf" \
    --authentication-kubeconfig="$RUN/kube/controller-manager.conf" --authorization-kubeconfig="$RUN/kube/controller-manager.conf" \
    --root-ca-file="$RUN/pki/ca.crt" --service-account-private-key-file="$RUN/pki/service-account.key" --use-service-account-credentials=true \
    --cluster-signing-cert-file="$RUN/pki/ca.crt" --cluster-signing-key-file="$RUN/pki/ca.key" --leader-elect=false --bind-address=127.0.0.1 --kube-api-qps=500 --kube-api-burst=1000
  keep kube-scheduler "$KUBE_SCHEDULER" --kubeconfig="$RUN/kube/scheduler.conf" --authentication-kubeconfig="$RUN/kube/scheduler.conf" \
    --authorization-kubeconfig="$RUN/kube/scheduler.conf" --leader-elect=false --bind-address=127.0.0.1 --kube-api-qps=500 --kube-api-burst=1000
}

node_agents() {
  keep kubelet "$KUBELET" --config="$NODE_DIR/kubelet.yaml" --kubeconfig="$NODE_DIR/kubelet.conf" --hostname-override="$NODE_NAME" \
    --node-ip="$NODE_ADDRESS" --v=2
  keep kube-proxy "$KUBE_PROXY" --kubeconfig="$RUN/kube/proxy.conf" --proxy-mode=iptables --hostname-override="$NODE_NAME" \
    --cluster-cidr="$POD_RANGE" --conntrack-max-per-core=0 --conntrack-tcp-timeout-established=0 --conntrack-tcp-timeout-close-wait=0
}

echo "$NODE_NAME" > /proc/sys/kernel/hostname
own_mounts
own_network
[ "$ROLE" = control ] && control_plane
keep containerd containerd -c "$NODE_DIR/containerd.toml"
until_ok 60 ctr -a /run/containerd/containerd.sock version
for archive in "$RUN"/base-images/*.tar; do
  ctr -a /run/containerd/containerd.sock -n k8s.io images import "$archive"
done
[ "$ROLE" = control ] && controllers
node_agents
touch "$NODE_DIR/started"
trap 'exit 0' TERM INT
while :; do
  sleep 3600 &
  wait $! || true
done
