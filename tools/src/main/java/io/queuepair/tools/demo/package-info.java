/** {@code queuepair demo}: two devices, told step by step to somebody who learns RDMA. */
package io.queuepair.tools.demo;
