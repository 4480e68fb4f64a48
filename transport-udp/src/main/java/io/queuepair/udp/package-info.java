/** RoCEv2 over UDP. The only package that knows Netty. */
package io.queuepair.udp;
