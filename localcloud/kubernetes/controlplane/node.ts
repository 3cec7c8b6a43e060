/** The cluster's one node. */
export const nodeName = 'aks-nodepool1-local-vmss000000';

/** Of AKS' default node subnet. Not loopback: endpoint slices refuse it. */
export const nodeIp = '10.224.0.4';

/** A kubelet's own port. It is that of `nodeIp`; the egress proxy leads it to the endpoint's loopback port. */
export const kubeletPort = 10250;
