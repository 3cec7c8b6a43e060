import { NODE_SCALE_SET } from '../../azure/clusterRuntime';

/** The cluster's only node. */
export const nodeName = `${NODE_SCALE_SET}000000`;

/** An address of AKS' default node subnet. Endpoint slices would refuse a loopback address. */
export const nodeIp = '10.224.0.4';

/** Port of a kubelet at `nodeIp`. The egress proxy routes it to the loopback port of the node's endpoint. */
export const kubeletPort = 10250;
