// One connection to a broker that sends any request of Kafka's schemas at any version: what no client would send can be sent
// here. A connection that the broker closed is opened again by the next request.
package highwater;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

final class Wire implements AutoCloseable {
    private static final int ANSWER_MS = 25_000;
    private final InetSocketAddress address;
    private Socket socket;
    private int correlationId = 0;

    Wire(String host, int port) {
        address = new InetSocketAddress(host, port);
    }

    /** The broker closed the connection instead of answering. */
    static final class ClosedByBroker extends Exception {}

    /** Sends and waits for the answer. */
    synchronized ApiMessage ask(ApiMessage request, int version) throws Exception {
        try {
            send(request, (short) version);
            return receive(request.apiKey(), (short) version);
        } catch (EOFException | SocketException closed) {
            close();
            throw new ClosedByBroker();
        } catch (IOException late) {
            close();
            throw late;
        }
    }

    /** Sends a request that has no answer, and says whether the broker closes the connection for it soon. */
    synchronized boolean closesAfter(ApiMessage request, int version) throws Exception {
        send(request, (short) version);
        socket.setSoTimeout(1000);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } finally {
            close();
        }
    }

    private void send(ApiMessage request, short version) throws IOException {
        if (socket == null) {
            socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.connect(address, ANSWER_MS);
        }
        socket.setSoTimeout(ANSWER_MS);
        short headerVersion = ApiMessageType.fromApiKey(request.apiKey()).requestHeaderVersion(version);
        RequestHeaderData header = new RequestHeaderData()
            .setRequestApiKey(request.apiKey()).setRequestApiVersion(version)
            .setCorrelationId(++correlationId).setClientId("differential");
        ByteBuffer head = MessageUtil.toByteBufferAccessor(header, headerVersion).buffer();
        ByteBuffer body = MessageUtil.toByteBufferAccessor(request, version).buffer();
        ByteBuffer frame = ByteBuffer.allocate(4 + head.remaining() + body.remaining());
        frame.putInt(head.remaining() + body.remaining()).put(head).put(body);
        socket.getOutputStream().write(frame.array());
    }

    private ApiMessage receive(short key, short version) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        ByteBufferAccessor bytes = new ByteBufferAccessor(ByteBuffer.wrap(frame));
        ApiMessageType type = ApiMessageType.fromApiKey(key);
        new ResponseHeaderData(bytes, type.responseHeaderVersion(version));
        ApiMessage response = type.newResponse();
        response.read(bytes, version);
        return response;
    }

    @Override
    public synchronized void close() {
        try {
            if (socket != null) socket.close();
        } catch (IOException gone) {
            // Closed is closed.
        }
        socket = null;
    }
}
