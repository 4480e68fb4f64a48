/** {@code queuepair decode}: the RoCEv2 packets of a capture file. */
package io.queuepair.tools.decode;
