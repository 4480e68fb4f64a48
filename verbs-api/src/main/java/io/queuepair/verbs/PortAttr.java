// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * State and properties of a port ({@code struct ibv_port_attr}); the fields that mean something on
 * Ethernet.
 *
 * @param state logical state
 * @param maxMtu largest MTU the port could have
 * @param activeMtu largest MTU in force
 * @param gidTblLen slots of the GID table
 * @param portCapFlags capability bits ({@code enum ibv_port_cap_flags})
 * @param maxMsgSz bytes of the largest message
 * @param pkeyTblLen slots of the P_Key table
 * @param badPkeyCntr packets dropped for their P_Key, 0 to 65535, saturating
 * @param qkeyViolCntr packets dropped for their Q_Key, 0 to 65535, saturating
 * @param activeWidth link width code: 1, 2, 4 or 8 for 1X, 4X, 8X, 12X
 * @param activeSpeed link speed code
 * @param physState physical state: 5 is link up
 * @param linkLayer always Ethernet here
 * @param isGrhRequired whether address vectors must be global ({@code IBV_QPF_GRH_REQUIRED})
 */
public record PortAttr(
    PortState state,
    Mtu maxMtu,
    Mtu activeMtu,
    int gidTblLen,
    int portCapFlags,
    long maxMsgSz,
    int pkeyTblLen,
    int badPkeyCntr,
    int qkeyViolCntr,
    int activeWidth,
    int activeSpeed,
    int physState,
    LinkLayer linkLayer,
    boolean isGrhRequired) {}
