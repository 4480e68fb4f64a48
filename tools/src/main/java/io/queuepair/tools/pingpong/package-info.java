// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair pingpong}: the other side of {@code ibv_rc_pingpong} and its relatives. Peers
 * find each other over TCP ({@link io.queuepair.tools.pingpong.TcpExchange}, {@link
 * io.queuepair.tools.pingpong.XrcExchange}), then play in one loop ({@link
 * io.queuepair.tools.pingpong.PingpongLoop}); what carries the messages is a {@link
 * io.queuepair.tools.pingpong.PingpongType}.
 */
package io.queuepair.tools.pingpong;
