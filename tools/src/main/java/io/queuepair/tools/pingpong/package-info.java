// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair pingpong}: the counterpart of {@code ibv_rc_pingpong} and similar programs. Both
 * sides exchange addresses over TCP ({@link io.queuepair.tools.pingpong.TcpExchange}, {@link
 * io.queuepair.tools.pingpong.XrcExchange}), then run one loop ({@link
 * io.queuepair.tools.pingpong.PingpongLoop}) on queue pairs of a {@link
 * io.queuepair.tools.pingpong.PingpongType}.
 */
package io.queuepair.tools.pingpong;
