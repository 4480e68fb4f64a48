// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

/** What a request says of remote memory. */
record RemoteMemoryTarget(long addr, int rkey, long length) {}
