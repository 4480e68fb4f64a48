// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * An entry of the GID table ({@code struct ibv_gid_entry}).
 *
 * @param gid the GID
 * @param gidIndex slot, from 0
 * @param portNum number of the port, from 1
 * @param gidType kind of the entry
 * @param ndevIfindex index of the network interface that has the address; 0 if the network has none
 */
public record GidEntry(Gid gid, int gidIndex, int portNum, GidType gidType, int ndevIfindex) {}
