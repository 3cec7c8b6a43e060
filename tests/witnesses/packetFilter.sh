#!/bin/sh
# Shows in a network namespace, which is gone afterwards, that aad-pod-identity's own iptables rules bring a pod's request for
# the metadata service to it. The local cloud's pods are processes that share the machine's network, so that its own metadata
# service passes their requests on.
set -eu
program=$1
# The log of the server is beside the program.
for needed in iptables ip nsenter unshare curl; do
  command -v "$needed" >/dev/null || {
    echo "packet filter: NOT RUN: $needed is missing" >&2
    exit 1
  }
done
if [ -z "${INSIDE_NAMESPACE-}" ]; then
  unshare --map-root-user --net --pid --mount-proc --fork true 2>/dev/null || {
    echo 'packet filter: NOT RUN: this user may not make network namespaces' >&2
    exit 1
  }
  INSIDE_NAMESPACE=1 exec unshare --map-root-user --net --pid --mount-proc --fork --kill-child sh "$0" "$program"
fi

node=10.244.0.1
pod=10.244.0.7
token='http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://vault.azure.net'

# The pod: a network namespace of its own, with a pair of interfaces to the node.
unshare --net sleep 120 &
holder=$!
until [ "$(readlink "/proc/$holder/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
inPod() { nsenter --target "$holder" --net "$@"; }
ip link set lo up
ip link add node type veth peer name eth0
ip link set eth0 netns "$holder"
ip address add "$node/24" dev node
ip link set node up
inPod ip address add "$pod/24" dev eth0
inPod ip link set eth0 up
inPod ip route add default via "$node"

ask() { inPod curl --silent --show-error --max-time 5 --header Metadata:true "$1"; }
! before=$(ask "$token" 2>&1) || { echo "packet filter: answered without rules: $before" >&2; exit 1; }

"$program" "$node" "$pod" 2>"$program.log" &
tries=0
until iptables -t nat -S aad-metadata 2>/dev/null | grep -q DNAT; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { cat "$program.log" >&2; exit 1; }
  sleep 0.1
done
iptables -t nat -S aad-metadata
answer=$(ask "$token")
case $answer in *'token of orders-0'*) ;; *) echo "packet filter: $answer" >&2; cat "$program.log" >&2; exit 1 ;; esac
grep -q "status (200) .* req.remote=$pod" "$program.log" || { cat "$program.log" >&2; exit 1; }
! other=$(ask 'http://169.254.169.253/' 2>&1) || { echo "packet filter: took another address: $other" >&2; exit 1; }
echo "packet filter: the request of the pod $pod for 169.254.169.254 arrived at aad-pod-identity, and no other"
