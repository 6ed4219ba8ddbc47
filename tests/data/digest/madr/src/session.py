def open_session(token):
    return token
