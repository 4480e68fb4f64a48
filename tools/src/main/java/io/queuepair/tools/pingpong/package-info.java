// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair rc-pingpong} and its relatives: the other sides of {@code ibv_rc_pingpong},
 * {@code ibv_uc_pingpong}, {@code ibv_ud_pingpong}, {@code ibv_srq_pingpong} and {@code
 * ibv_xsrq_pingpong}. Peers find each other over TCP ({@link
 * io.queuepair.tools.pingpong.TcpExchange}), then play in one loop ({@link
 * io.queuepair.tools.pingpong.PingpongLoop}); what carries the messages is a {@link
 * io.queuepair.tools.pingpong.PingpongTransport}.
 */
package io.queuepair.tools.pingpong;
