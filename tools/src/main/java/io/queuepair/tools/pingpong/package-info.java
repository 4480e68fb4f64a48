/**
 * {@code queuepair rc-pingpong}: the other side of {@code ibv_rc_pingpong}. Peers find each other
 * over TCP ({@link io.queuepair.tools.pingpong.TcpExchange}), then play over a reliable connection.
 */
package io.queuepair.tools.pingpong;
