// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

/**
 * Traffic of a {@link UdpFabric} so far, all its devices together.
 *
 * @param burstsOut bursts given to the kernel
 * @param datagramsOut datagrams in them
 * @param bytesOut bytes in them, UDP payload only
 * @param burstsIn bursts handed to devices
 * @param datagramsIn datagrams in them
 * @param bytesIn bytes in them, UDP payload only
 * @param refused datagrams of other software dropped at arrival, as the IPv4 identification cannot
 *     be fixed here
 * @param sendFailures datagrams that the kernel did not take; they are lost
 * @param receiveFailures errors that sockets reported while reading
 */
public record UdpCounters(
    long burstsOut,
    long datagramsOut,
    long bytesOut,
    long burstsIn,
    long datagramsIn,
    long bytesIn,
    long refused,
    long sendFailures,
    long receiveFailures) {}
