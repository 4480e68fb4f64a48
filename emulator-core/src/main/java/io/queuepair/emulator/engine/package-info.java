/** Requester, responder, datagram service, segmentation, replay cache, deadlines. */
package io.queuepair.emulator.engine;
