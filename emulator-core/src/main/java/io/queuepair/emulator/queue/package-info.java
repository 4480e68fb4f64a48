/** WQEs, the send, receive and shared rings, the completion ring. */
package io.queuepair.emulator.queue;
