// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.net.InetSocketAddress;

/**
 * A multicast group that an id has joined, or asked to join.
 *
 * @param address the group
 * @param context what the program gave along, or null
 * @param taken its events that were taken and not acknowledged
 */
record NativeMulticastGroup(
    InetSocketAddress address, Object context, UnacknowledgedEvents taken) {}
